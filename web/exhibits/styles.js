import { plainText } from '../views/figure-styles.js'
import { buttonHover, buttonLook, focusLook, palette } from './look.js'

/**
 * How exhibits look: they take the page's font and accent where it offers them (`--attention-font`,
 * `--attention-accent`), follow its colour scheme, and hold their own on a page that styles everything.
 */
export const exhibitStyles = `
  :host {
    display: block !important;
    container-type: inline-size;
    ${palette}
    --on-accent: light-dark(#ffffff, #1b1424);
    color: var(--ink);
    font: 400 var(--attention-font-size, 0.9375rem) / 1.45
      var(--attention-font, system-ui, sans-serif);
    font-variant-numeric: tabular-nums lining-nums;
    ${plainText}
  }

  :host([data-scheme='dark']) {
    color-scheme: dark !important;
  }

  :host([data-scheme='light']) {
    color-scheme: light !important;
  }

  [hidden] {
    display: none !important;
  }

  *,
  ::before,
  ::after {
    box-sizing: border-box;
  }

  .controls {
    display: flex;
    flex-wrap: wrap;
    align-items: end;
    gap: 0.7em 1.4em;
    margin: 0 0 1.1em;
  }

  .controls > .last {
    margin-inline-start: auto;
  }

  fieldset {
    min-width: 0;
    margin: 0;
    padding: 0;
    border: 0;
  }

  legend,
  .name {
    display: block;
    padding: 0;
    margin-bottom: 0.25em;
    color: var(--quiet);
    font-size: 0.84em;
    line-height: 1.3;
  }

  .segments {
    display: flex;
    flex-wrap: wrap;
    gap: 1px;
    overflow: hidden;
    width: fit-content;
    border: 1px solid var(--rule);
    border-radius: 0.4em;
    background: var(--rule);
  }

  .segments label {
    position: relative;
    display: grid;
    flex: 1 0 auto;
    place-items: center;
    min-width: 2.3em;
    min-height: 2.1em;
    padding: 0 0.6em;
    background: var(--surface);
    cursor: pointer;
  }

  .segments label:hover {
    background: var(--wash);
  }

  .segments input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }

  .segments label:has(:checked) {
    background: var(--accent);
    color: var(--on-accent);
  }

  .segments label:has(:focus-visible) {
    outline: 2px solid var(--accent);
    outline-offset: -4px;
    z-index: 1;
  }

  .segments label:has(:checked:focus-visible) {
    outline-color: var(--on-accent);
  }

  button,
  select {
    ${buttonLook}
  }

  button:hover,
  select:hover {
    ${buttonHover}
  }

  button:disabled {
    color: var(--quiet);
    cursor: default;
    opacity: 0.7;
  }

  .slider {
    display: grid;
    min-width: 11em;
  }

  .slider .name {
    order: -1;
  }

  .slider output {
    color: var(--ink);
    font-weight: 600;
  }

  .slider input,
  .toggle input {
    accent-color: var(--accent);
    margin: 0;
    cursor: pointer;
  }

  .slider input {
    width: 100%;
    height: 2.25em;
  }

  .toggle {
    display: flex;
    align-items: center;
    gap: 0.5em;
    min-height: 2.25em;
    cursor: pointer;
  }

  .toggle input {
    width: 1.15em;
    height: 1.15em;
  }

  .stepper {
    display: flex;
    align-items: center;
    gap: 0.7em;
  }

  .stepper .where {
    min-width: 6em;
    text-align: center;
  }

  .stepper small {
    color: var(--quiet);
    font-size: 0.84em;
  }

  [aria-disabled='true'] {
    color: var(--quiet);
    cursor: default;
    opacity: 0.7;
  }

  /* Fixed by the page: it shows its value, and says that it cannot be changed. */
  [data-setting]:is(:disabled, :has(:disabled)) {
    cursor: not-allowed;
  }

  [data-setting] :disabled:not(.segments input),
  fieldset:disabled .segments label {
    cursor: not-allowed;
    opacity: 0.7;
  }

  :focus-visible {
    ${focusLook}
  }

  .panels {
    display: grid;
    gap: 1.4em 1.8em;
  }

  .panels > * {
    min-width: 0;
  }

  /* No h4: how deep it would stand in a page's outline an exhibit cannot know. */
  .heading {
    margin: 0 0 0.5em;
    font-size: 1em;
    font-weight: 600;
  }

  .heading small {
    color: var(--quiet);
    font-size: 0.93em;
    font-weight: 400;
  }

  i,
  var {
    font-family: 'STIX Two Text', Georgia, serif;
    font-style: italic;
  }

  /* Set off their line without making it higher: tables side by side keep their rows level. */
  sub,
  sup {
    position: relative;
    font-size: 0.75em;
    line-height: 0;
    vertical-align: baseline;
  }

  sup {
    top: -0.5em;
  }

  sub {
    top: 0.25em;
  }

  /* Signs that the page's sans serif may lack. */
  .sign {
    font-family: 'STIX Two Math', 'STIX Two Text', Georgia, serif;
    font-weight: 400;
  }

  table {
    border-collapse: collapse;
  }

  th {
    color: var(--quiet);
    font-weight: 400;
    text-align: end;
  }

  td {
    text-align: end;
  }

  .failure {
    margin: 0;
    padding: 0.9em 1.1em;
    border-inline-start: 3px solid light-dark(#a4331f, #ff9478);
    background: var(--wash);
  }

  .news {
    position: absolute;
    overflow: hidden;
    width: 1px;
    height: 1px;
    margin: 0;
    clip-path: inset(50%);
    white-space: nowrap;
  }

  @media (pointer: coarse) {
    .segments label,
    button,
    select {
      min-height: 44px;
    }

    .segments label {
      min-width: 2.1em;
      padding-inline: 0.5em;
    }

    .segments:not(:has(:nth-child(5))) label {
      min-width: 44px;
    }
  }

  @media print {
    .controls,
    fieldset {
      display: none;
    }
  }

  @media (forced-colors: active) {
    .segments label:has(:checked) {
      forced-color-adjust: none;
      background: Highlight;
      color: HighlightText;
    }
  }
`
