/**
 * The rules of the inspector, all of them within it: it shares a shadow root with its view. What it says by
 * colour it says by a mark and in words as well.
 */
export const inspectorStyles = `
.inspector {
  --wrong: light-dark(#a3270f, #ff9d80);
  --right: light-dark(#1b6a4b, #7fd4ae);
  --negative: light-dark(#b45309, #f5a65b);
  grid-column: 1 / -1;
  container-type: inline-size;
  inline-size: 100%;
  max-inline-size: 960px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  font-size: 13px;

  &.alarmed { border: 2px solid var(--wrong); }
  p { max-inline-size: 72ch; overflow-wrap: anywhere; }
  .quiet { color: var(--soft); }

  .inspector-head {
    display: flex;
    align-items: center;
    justify-content: space-between;
    gap: 10px;
    padding: 6px 6px 6px 14px;
    border-block-end: 1px solid var(--line);
    /* Scrolled into sight along with some of what stands below it. */
    scroll-margin-block: 16px 110px;
  }
  .inspector-title { min-inline-size: 0; color: var(--soft); overflow-wrap: anywhere; }
  .close {
    flex: none;
    inline-size: 30px;
    padding: 0;
    border-color: transparent;
    font-size: 20px;
    line-height: 1;
  }

  .inspector-body { display: flex; flex-direction: column; gap: 8px; padding: 10px 14px 14px; }
  .finding { font-size: 15px; font-weight: 600; }
  .agrees::before { content: '✓'; margin-inline-end: 6px; color: var(--right); font-weight: 700; }
  .alarms:empty { display: none; }
  .alarm {
    padding: 9px 12px;
    border-radius: 6px;
    background: var(--wrong);
    color: var(--surface);
    font-size: 14px;
    overflow-wrap: anywhere;
  }
  .alarm ul { margin: 2px 0 0; padding-inline-start: 20px; }

  .parts { display: grid; gap: 16px 28px; margin-block-start: 4px; }
  .part { container-type: inline-size; min-inline-size: 0; }
  .part > .quiet { margin-block-start: 6px; }
  table {
    inline-size: 100%;
    table-layout: fixed;
    border-collapse: collapse;
    font-size: 12px;
    line-height: 1.3;
  }
  caption { padding-block: 4px; font-size: 13px; font-weight: 650; text-align: start; }
  th, td {
    position: relative;
    padding: 4px 0 4px 8px;
    border-block-end: 1px solid var(--line);
    font-weight: 400;
    text-align: end;
    vertical-align: baseline;
    overflow-wrap: anywhere;
  }
  th:first-child { padding-inline-start: 0; inline-size: 31%; text-align: start; }
  th:last-child:not(:first-child) { inline-size: 17%; }
  .plain th:first-child { inline-size: 60%; }
  thead th { color: var(--soft); font-size: 11px; vertical-align: bottom; overflow-wrap: normal; }
  .unseen th { padding-block: 0; border: 0; font-size: 0; line-height: 0; }
  th i { font-family: 'STIX Two Text', Georgia, 'Times New Roman', serif; font-size: 1.07em; }
  .formula { color: var(--soft); font-weight: 400; white-space: nowrap; }
  .place { display: inline-block; min-inline-size: 1.9em; color: var(--soft); }
  .factor, .difference { white-space: nowrap; }
  .rounded { display: none; }

  .drawn :is(th, td) { font-weight: 650; }
  .drawn th { padding-inline-start: 9px; box-shadow: inset 3px 0 var(--accent); }
  .wrong :is(th, td) { color: var(--wrong); font-weight: 650; }
  .wrong .formula { color: inherit; }
  .size {
    position: absolute;
    inset-block: 2px;
    inset-inline-end: 0;
    border-radius: 2px 0 0 2px;
    background: color-mix(in srgb, var(--accent) 22%, transparent);
  }
  .size.negative { background: color-mix(in srgb, var(--negative) 26%, transparent); }

  .components.all {
    max-block-size: 250px;
    overflow-y: auto;
    overflow-anchor: none;
    overscroll-behavior: contain;
  }
  .components.all thead th {
    position: sticky;
    inset-block-start: 0;
    z-index: 1;
    background: var(--surface);
  }
  .components:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
  .more { margin-block: 6px 2px; font-size: 12px; }
}

@container (min-width: 860px) {
  .inspector .parts { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .inspector .part:first-child { grid-row: span 2; }
}
@container (max-width: 400px) {
  .inspector .inspector-head { padding-inline-start: 10px; }
  .inspector .inspector-body { padding-inline: 10px; }
}
/* Of a part: two whole factors would need two lines. */
@container (min-width: 385px) and (max-width: 539px) {
  .inspector .exact {
    position: absolute;
    inline-size: 1px;
    overflow: hidden;
    clip-path: inset(50%);
  }
  .inspector .rounded { display: inline; }
}
/* The name above, the numbers in a line below it. */
@container (max-width: 384px) {
  .inspector .compared {
    font-size: 11.5px;

    &, caption, thead, tbody { display: block; }
    tr {
      display: grid;
      grid-template-columns: 1fr 1fr 5.6em;
      border-block-end: 1px solid var(--line);
    }
    .unseen tr { border: 0; }
    th, td { padding-block: 0 3px; border: 0; inline-size: auto !important; }
    td { white-space: nowrap; }
    th:first-child { grid-column: 1 / -1; padding-block-start: 3px; }
    :is(td, thead th):nth-child(2) { padding-inline-start: 0; text-align: start; }
    .size { inset-inline: 0 auto; border-radius: 0 2px 2px 0; }
  }
}
@media (pointer: coarse) {
  .inspector .close { inline-size: 44px; }
}
@media (forced-colors: active) {
  .inspector.alarmed { border-width: 4px; }
  .inspector .alarm { border: 3px solid CanvasText; }
  .inspector .size { display: none; }
}
@media print {
  .inspector :is(.close, .more) { display: none; }
}
`
