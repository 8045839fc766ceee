import { buttonLook } from '../look.js'
/** Rules of the exhibit that opens files. */
export const openStyles = `
  .open {
    display: grid;
    gap: 1.2em;
  }

  .open > * {
    min-width: 0;
  }

  .drop {
    padding: 1em 1.1em;
    border: 2px dashed var(--rule);
    border-radius: 0.5em;
  }

  .open.over .drop {
    border-color: var(--accent);
    background: var(--wash);
  }

  .drop p,
  .opened p,
  .said p {
    margin: 0.5em 0 0;
    max-width: 44em;
    overflow-wrap: anywhere;
  }

  .drop .failure {
    margin-top: 0.8em;
  }

  .drop .name,
  .tokens .name {
    color: inherit;
    font-size: 1em;
  }

  .files {
    width: 100%;
    max-width: 100%;
    font: inherit;
    color: inherit;
  }

  .files::file-selector-button {
    ${buttonLook}
    margin-inline-end: 0.8em;
  }

  .promise,
  .from {
    color: var(--quiet);
    font-size: 0.9em;
  }

  .opened .facts {
    margin: 0;
  }

  .array {
    display: block;
    margin-top: 0.7em;
  }

  .array select {
    max-width: 100%;
  }

  .tokens summary {
    width: fit-content;
    margin-top: 0.5em;
    cursor: pointer;
  }

  .tokens label {
    display: block;
    margin-top: 0.6em;
  }

  textarea {
    width: 100%;
    padding: 0.5em 0.7em;
    border: 1px solid var(--rule);
    border-radius: 0.4em;
    background: var(--surface);
    color: inherit;
    font: inherit;
  }

  .warning {
    padding: 0.6em 0.9em;
    border-inline-start: 3px solid light-dark(#a4331f, #ff9478);
    background: var(--wash);
  }

  .open .controls {
    margin: 0;
  }

  .special {
    display: flex;
    flex-wrap: wrap;
    gap: 0 1.2em;
  }

  .progress {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 0.5em 0.8em;
    margin: 0 0 0.8em;
    color: var(--quiet);
    font-size: 0.9em;
  }

  .progress progress {
    flex: 1 1 6em;
    max-width: 16em;
    accent-color: var(--accent);
  }

  .panels {
    align-items: start;
  }

  @container (width >= 46em) {
    .panels {
      grid-template-columns: minmax(0, 1fr) minmax(0, 1.15fr);
    }
  }

  @media (pointer: coarse) {
    .files::file-selector-button,
    .tokens summary {
      min-height: 44px;
    }
  }

  @media print {
    .drop,
    .tokens details {
      display: none;
    }
  }
`
