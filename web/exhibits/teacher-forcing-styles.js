/** The rules of teacher forcing: a staircase of words, one step for each position. */
export const teacherForcingStyles = `
  .passes {
    margin: 0 0 0.7em;
  }

  .forcing th,
  .forcing td {
    padding-block: 0.3em;
    vertical-align: middle;
  }

  .forcing thead th {
    vertical-align: bottom;
  }

  .forcing tbody tr {
    box-shadow: inset 3px 0 0 transparent;
  }

  .forcing .now {
    box-shadow: inset 3px 0 0 var(--accent);
  }

  .forcing tr > :first-child {
    padding-inline-start: 0.8em;
  }

  .forcing .later th {
    color: var(--quiet);
    font-weight: 400;
  }

  .forcing .sees {
    width: 52%;
    text-align: start;
  }

  .forcing .target {
    font-weight: 600;
    text-align: start;
  }

  .forcing thead :nth-child(3) {
    text-align: start;
  }

  .tokens {
    display: grid;
    grid-template-columns: repeat(6, minmax(0, 1fr));
    gap: 2px;
  }

  .tokens i {
    overflow: hidden;
    min-height: 1.9em;
    padding: 0.25em 0.1em;
    border-radius: 0.2em;
    font: inherit;
    font-style: normal;
    font-weight: 400;
    font-size: 0.92em;
    text-align: center;
  }

  .tokens .seen {
    background: light-dark(#deebf7, #1f3c5c);
  }

  .tokens .own {
    font-weight: 600;
  }

  .tokens .answer {
    background: light-dark(#fde0bd, #6b3d0c);
    outline: 2px solid light-dark(#b45309, #f5a65b);
    outline-offset: -2px;
  }

  .tokens .hidden {
    background:
      repeating-linear-gradient(
        -45deg,
        light-dark(#b0adba, #5c5969) 0 1px,
        transparent 1px 4.25px
      ),
      light-dark(#eeedf1, #28262f);
  }

  .tokens .none {
    border: 1px dashed var(--rule);
  }

  .forcing tfoot th,
  .forcing tfoot td {
    border: 0;
  }

  .forcing tfoot th {
    padding-inline-start: 0.8em;
    color: inherit;
    text-align: end;
  }

  @container (width < 40em) {
    .forcing th,
    .forcing td {
      padding-inline-start: 0.5em;
    }

    .forcing .sees {
      width: 32%;
    }

    .tokens {
      gap: 1px;
    }

    .tokens i {
      min-height: 1.3em;
      padding: 0;
    }

    .tokens i span {
      display: none;
    }
  }

  @media (forced-colors: active) {
    .tokens i {
      border: 1px solid CanvasText;
    }

    .tokens .hidden,
    .tokens .none {
      border-color: GrayText;
    }
  }
`
