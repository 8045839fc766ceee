/** The rules of charts; the colours of series are far apart in lightness as well, in both themes. */
export const chartStyles = `
:host {
  --series-0: light-dark(#5b3a9e, #bba2f7);
  --series-1: light-dark(#b45309, #f5a65b);
  --series-2: light-dark(#0f766e, #5fd0c3);
  --series-3: light-dark(#5d5968, #aca8b9);
}
figure { align-items: stretch; gap: 4px; }
.names { display: flex; flex-wrap: wrap; gap: 2px 18px; padding-inline-start: 52px; font-size: 13px; }
.name { display: inline-flex; align-items: center; gap: 7px; }
.sample { inline-size: 24px; block-size: 0; border-block-start: 2.5px solid var(--color); }
.sample.dashed { border-block-start-style: dashed; }
.sample.dots { inline-size: 8px; block-size: 8px; border: 0; border-radius: 50%; background: var(--color); }
.sample.bar {
  inline-size: 14px;
  block-size: 12px;
  border: 1px solid var(--color);
  background: color-mix(in srgb, var(--color) 35%, transparent);
}
.chart svg {
  display: block;
  inline-size: 100%;
  block-size: auto;
  overflow: visible;
  color: var(--soft);
  font: 12px/1 var(--attention-font, system-ui, sans-serif);
  font-variant-numeric: tabular-nums;
}
.chart svg text { white-space: pre; }
.chart [aria-label='tip'] { color: var(--ink); }
.chart [aria-label$='grid'] { color: var(--line); stroke-opacity: 1; }
`
