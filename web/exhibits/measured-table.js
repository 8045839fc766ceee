/**
 * Tables of measured numbers, with a verdict where there is one: `<table class="measured">`, a `verdict` cell
 * that `holds` or `breaks`, columns that a narrow figure can spare.
 */
export const measuredTableStyles = `
  .measured {
    width: 100%;
    font-size: clamp(0.8em, 3.3cqi, 0.93em);
  }

  .measured caption {
    padding-bottom: 0.4em;
    text-align: start;
  }

  .measured th,
  .measured td {
    padding: 0.42em 0 0.42em 0.8em;
    border-bottom: 1px solid var(--rule);
    vertical-align: baseline;
  }

  .measured thead th {
    line-height: 1.3;
    vertical-align: bottom;
  }

  .measured tr > :first-child {
    padding-inline-start: 0.2em;
    text-align: start;
  }

  .measured [scope='row'] {
    color: inherit;
  }

  .measured small {
    color: var(--quiet);
    font-size: 0.9em;
  }

  .measured .verdict {
    text-align: start;
  }

  .measured .holds {
    color: light-dark(#1b6a4b, #7fd4ae);
  }

  .measured .breaks {
    color: light-dark(#9a3412, #ffac85);
  }

  .measured tr.chosen {
    background: var(--wash);
    font-weight: 600;
  }

  @container (width < 34em) {
    .measured .spare {
      display: none;
    }
  }
`
