/** The rules of the inspector; what it says by colour it says by a mark and in words as well. */
export const inspectorStyles = `
.inspector {
  --wrong: light-dark(#a3270f, #ff9d80);
  --right: light-dark(#1b6a4b, #7fd4ae);
  --lift: light-dark(#b45309, #f5a65b);
  grid-column: 1 / -1;
  container-type: inline-size;
  inline-size: 100%;
  max-inline-size: 860px;
  border: 1px solid var(--line);
  border-radius: 8px;
  background: var(--surface);
  font-size: 13px;
  scroll-margin-block: 16px;
}
.inspector.wrong { border: 2px solid var(--wrong); }
.inspector-head {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 10px;
  padding: 6px 6px 6px 14px;
  border-block-end: 1px solid var(--line);
  scroll-margin-block: 90px;
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
.finding { font-size: 15px; font-weight: 600; overflow-wrap: anywhere; }
.inspector-body p { max-inline-size: 72ch; overflow-wrap: anywhere; }
.agrees::before { content: '✓'; margin-inline-end: 6px; color: var(--right); font-weight: 700; }
.alarm {
  padding: 9px 12px;
  border-radius: 6px;
  background: var(--wrong);
  color: var(--surface);
  font-size: 14px;
}
.alarm strong { display: block; }
.quiet { color: var(--soft); }
.parts { display: grid; gap: 16px 28px; margin-block-start: 4px; }
.part { min-inline-size: 0; }
.part > .quiet { margin-block-start: 6px; }

.part table {
  inline-size: 100%;
  table-layout: fixed;
  border-collapse: collapse;
  font-size: 12px;
  line-height: 1.3;
}
.part caption {
  padding-block: 4px;
  font-size: 13px;
  font-weight: 650;
  text-align: start;
}
.part th, .part td {
  position: relative;
  padding: 4px 0 4px 8px;
  border-block-end: 1px solid var(--line);
  font-weight: 400;
  text-align: end;
  vertical-align: baseline;
  overflow-wrap: anywhere;
}
.part th:first-child { padding-inline-start: 0; inline-size: 35%; text-align: start; }
.part th:last-child:not(:first-child) { inline-size: 17%; }
.part.plain th:first-child { inline-size: 60%; }
.part thead th { color: var(--soft); font-size: 11px; vertical-align: bottom; }
.part thead.spoken-head th { padding-block: 0; border: 0; font-size: 0; line-height: 0; }
.formula { color: var(--soft); white-space: nowrap; }
.formula i, th i { font-family: 'STIX Two Text', Georgia, 'Times New Roman', serif; font-size: 1.07em; }
.index { display: inline-block; min-inline-size: 2.2em; color: var(--soft); }
.term { white-space: nowrap; }
.shown th, .shown td { font-weight: 650; }
.shown th { box-shadow: inset 3px 0 var(--accent); padding-inline-start: 9px !important; }
.shown .formula { font-weight: 400; }
.wrong th, .wrong td { color: var(--wrong); font-weight: 650; }
.wrong .formula { color: inherit; }
.bar {
  position: absolute;
  inset-block-end: 0;
  inset-inline-end: 0;
  block-size: 3px;
  background: var(--accent);
}
.bar.negative { background: var(--lift); }
.components.all { max-block-size: 250px; overflow-y: auto; overscroll-behavior: contain; }
.components.all thead th { position: sticky; inset-block-start: 0; background: var(--surface); z-index: 1; }
.components:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.more { margin-block: 6px 2px; font-size: 12px; }

@container (min-width: 700px) {
  .parts { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); }
  .part.tall { grid-row: span 2; }
}
@container (max-width: 400px) {
  .inspector-body { padding-inline: 8px; }
  .inspector-head { padding-inline-start: 8px; }
  .part table { font-size: 11px; }
  .part th, .part td { padding-inline-start: 5px; }
  .part th:first-child { inline-size: 29%; }
  .formula { white-space: normal; }
  .index { min-inline-size: 1.6em; }
}
@media (pointer: coarse) {
  .close { inline-size: 44px; }
}
@media (forced-colors: active) {
  .inspector.wrong { border-width: 4px; }
  .alarm { border: 3px solid CanvasText; }
  .bar { forced-color-adjust: none; background: CanvasText; }
}
`
