/**
 * Text as it is, whatever a page's own rules hand down. Figures read from left to right on every page, as their
 * numbers and matrices do.
 */
export const plainText = `
  direction: ltr;
  letter-spacing: normal;
  word-spacing: normal;
  text-align: start;
  text-indent: 0;
  text-shadow: none;
  text-transform: none;
  white-space: normal;
  word-break: normal;
  hyphens: manual;
`

/**
 * The rules that all views share. They live in each view's shadow root, out of reach of the page's own
 * rules; what must hold on the host itself against a page's `* { all: unset }` is marked important.
 *
 * A page themes figures by custom properties: --attention-surface, --attention-ink, --attention-soft,
 * --attention-line, --attention-accent, --attention-font.
 */
export const figureStyles = `
:host {
  display: block !important;
  position: relative;
  min-inline-size: 160px;
  /* What is drawn has the width of the room there is; it must not keep the room from getting narrower. */
  contain: inline-size;
  contain-intrinsic-inline-size: 300px;
  --surface: var(--attention-surface, light-dark(#ffffff, #16151b));
  --ink: var(--attention-ink, light-dark(#1f1c26, #eceaf1));
  --soft: var(--attention-soft, light-dark(#5d5968, #aca8b9));
  --line: var(--attention-line, light-dark(#d8d5e0, #413e4c));
  --accent: var(--attention-accent, light-dark(#5b3a9e, #bba2f7));
  --wash: color-mix(in srgb, var(--accent) 12%, transparent);
}
:host([data-scheme='dark']) { color-scheme: dark !important; }
:host([data-scheme='light']) { color-scheme: light !important; }
*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }

figure {
  display: flex;
  flex-direction: column;
  align-items: center;
  gap: 10px;
  margin: 0;
  color: var(--ink);
  font: 400 14px/1.4 var(--attention-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif);
  font-variant-numeric: tabular-nums lining-nums;
  ${plainText}
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}
p { margin: 0; }
.ruler { block-size: 0; }

.probe {
  position: absolute;
  inline-size: 0;
  block-size: 0;
  overflow: hidden;
  visibility: hidden;
  pointer-events: none;
  color: var(--ink);
  caret-color: var(--soft);
  background-color: var(--surface);
  border: 0 solid var(--line);
  outline: 0 solid var(--accent);
  font-family: var(--attention-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Liberation Sans', sans-serif);
}
.probe.changing {
  transition-property: color, caret-color, background-color, border-top-color, outline-color;
  transition-duration: 1ms;
}

.spoken {
  position: absolute;
  inline-size: 1px;
  block-size: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

button {
  appearance: none;
  margin: 0;
  padding: 4px 11px;
  min-block-size: 30px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: transparent;
  color: inherit;
  font: inherit;
  line-height: 1.3;
  cursor: pointer;
  touch-action: manipulation;
}
button:hover { background: var(--wash); }
button[aria-pressed='true'] {
  border-color: var(--accent);
  background: var(--accent);
  color: var(--surface);
}
button:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 2px;
}

.note, .words {
  max-inline-size: 60ch;
  color: var(--soft);
  font-size: 13px;
}

.failed > :not(.words) { display: none; }

@media (pointer: coarse) {
  button { min-block-size: 44px; }
}
@media (forced-colors: active) {
  button[aria-pressed='true'] { background: Highlight; color: HighlightText; forced-color-adjust: none; }
}
@media print {
  :host { break-inside: avoid; }
  .hint { display: none; }
}
`
