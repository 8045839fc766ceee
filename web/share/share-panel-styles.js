export const sharePanelStyles = `
  .panel {
    display: grid;
    gap: 1.1em 2em;
    padding: 1em 1.1em;
    border: 1px solid var(--rule);
    border-radius: 0.4em;
  }

  .panel section {
    min-width: 0;
  }

  .panel .heading {
    margin: 0 0 0.5em;
    font-weight: 600;
  }

  .panel .name {
    display: block;
    margin-bottom: 0.25em;
    color: var(--quiet);
    font-size: 0.84em;
    line-height: 1.3;
  }

  .panel section > p:not(.heading) {
    margin: 0 0 0.5em;
    color: var(--quiet);
  }

  .panel .copied,
  .panel .choices {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.5em 0.8em;
  }

  .panel .choices + * {
    margin-block-start: 0.6em;
  }

  .panel .copied > :first-child {
    flex: 1 1 18em;
    min-width: 0;
    padding: 0.45em 0.6em;
    border: 1px solid var(--rule);
    border-radius: 0.4em;
    background: var(--wash);
    color: inherit;
    font: 0.84em/1.45 ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace;
    resize: vertical;
  }

  .panel details {
    margin-block-start: 0.7em;
  }

  .panel summary {
    width: fit-content;
    color: var(--quiet);
    cursor: pointer;
  }

  .panel .rights {
    margin-block-start: 0.6em;
  }

  .panel .said {
    min-height: 1.45em;
    margin: 0;
    color: var(--quiet);
  }

  @media (pointer: coarse) {
    .panel summary,
    .panel .copied > input {
      min-height: 44px;
    }
  }
`
