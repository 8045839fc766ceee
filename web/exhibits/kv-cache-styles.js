import { measuredTableStyles } from './measured-table.js'
import { stripStyles } from './strip.js'

/** The rules of the cache: vectors stand below one another, in step with the tokens that they belong to. */
export const kvCacheStyles = `${measuredTableStyles}${stripStyles}
  .play {
    min-width: 6.5em;
  }

  .strip:not(.empty) {
    outline: 1px solid var(--rule);
  }

  .cache {
    width: 100%;
    table-layout: fixed;
    font-size: clamp(0.8em, 3.3cqi, 0.95em);
  }

  .cache th,
  .cache td {
    padding: 0.28em 0 0.28em 1em;
    border-bottom: 1px solid var(--rule);
  }

  .cache thead th {
    line-height: 1.3;
    text-align: start;
    vertical-align: bottom;
  }

  .cache tr > :first-child {
    width: 4.6em;
    padding-inline-start: 0.3em;
    text-align: start;
  }

  .cache tbody th {
    color: inherit;
    white-space: nowrap;
  }

  .cache .absent th {
    color: var(--quiet);
  }

  .cache .new {
    background: var(--wash);
    font-weight: 600;
  }

  .cache .spare {
    width: 7em;
    text-align: end;
  }

  .cache small,
  .vectors small {
    color: var(--quiet);
    font-weight: 400;
  }

  .weight {
    display: grid;
    grid-template-columns: 5em 1fr;
    align-items: center;
    text-align: start;
    white-space: nowrap;
  }

  .weight b {
    font-weight: inherit;
  }

  .weight span {
    height: 0.75em;
    background: var(--accent);
  }

  .vectors {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    gap: 0.35em 1em;
    align-items: center;
    max-width: 44em;
    margin: 1.3em 0 1.8em;
  }

  .vectors dt {
    color: var(--quiet);
  }

  .vectors dd {
    margin: 0;
  }

  .cost {
    margin-top: 2em;
  }

  @container (width < 34em) {
    .cache .spare {
      display: none;
    }

    .cache tr > :first-child {
      width: 3.2em;
      padding-inline-start: 0;
    }

    .cache th small {
      display: none;
    }

    .cache th,
    .cache td {
      padding-inline-start: 0.6em;
    }

    .weight {
      grid-template-columns: 1fr;
    }

    .vectors {
      grid-template-columns: 1fr;
      gap: 0.1em;
    }

    .vectors dd {
      margin-bottom: 0.6em;
    }
  }
`
