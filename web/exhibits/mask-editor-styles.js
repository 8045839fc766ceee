/** The rules of the mask editor: its closed cells are hatched as a heatmap's masked ones are. */
export const maskEditorStyles = `
  .panels {
    align-items: start;
  }

  .mask {
    border-collapse: separate;
    border-spacing: 1px;
    touch-action: none;
    user-select: none;
  }

  .mask th {
    color: var(--ink);
    font-size: 12px;
    line-height: 1;
  }

  .mask thead th {
    padding-bottom: 5px;
    vertical-align: bottom;
  }

  .mask thead span {
    display: inline-block;
    writing-mode: vertical-rl;
    rotate: 180deg;
  }

  .mask thead tr > * {
    text-align: center;
  }

  .mask .axis {
    padding: 0 5px 5px 0;
    color: var(--quiet);
    font-size: 12px;
    font-weight: 600;
    line-height: 1;
    text-align: end;
    vertical-align: bottom;
  }

  .mask .key {
    padding-bottom: 7px;
    text-align: start;
  }

  .mask tbody th {
    padding-inline-end: 5px;
  }

  .mask td {
    padding: 0;
  }

  .mask .empty th {
    color: var(--quiet);
    text-decoration: line-through;
  }

  .mask button {
    display: block;
    width: min(45px, 12.6cqi);
    height: min(45px, 12.6cqi);
    min-height: 0;
    padding: 0;
    border: 0;
    border-radius: 1px;
    touch-action: none;
    background:
      repeating-linear-gradient(
        -45deg,
        light-dark(#b0adba, #5c5969) 0 1px,
        transparent 1px 4.25px
      ),
      light-dark(#eeedf1, #28262f);
    color: var(--quiet);
    font-size: clamp(10px, 3cqi, 12px);
    line-height: 1;
    cursor: cell;
  }

  .mask button[aria-pressed='true'] {
    background: light-dark(#deebf7, #1f3c5c);
    color: var(--ink);
  }

  .mask button:hover {
    outline: 2px solid var(--ink);
    outline-offset: -1px;
  }

  .mask button:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 1px;
  }

  .mask sup {
    font-size: 0.7em;
  }

  .below {
    margin-top: 1.1em;
  }

  .billion {
    max-width: 27em;
    margin: 0.9em 0 0;
  }

  @container (width < 27em) {
    .controls:first-child fieldset:first-child .segments {
      display: grid;
      grid-template-columns: repeat(3, 1fr);
      width: 100%;
    }

    .controls:first-child fieldset:first-child {
      width: 100%;
    }
  }

  @container (width >= 46em) {
    .panels {
      grid-template-columns: 1fr 1fr;
    }
  }

  @media (pointer: coarse) {
    .mask button {
      height: 44px;
    }
  }

  @media (forced-colors: active) {
    .mask button[aria-pressed='true'] {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`
