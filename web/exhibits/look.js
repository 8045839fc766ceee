/**
 * What exhibits and the menus below figures have in common to the eye.
 */

/** Colours, from the page where it offers them: declarations for the outermost rule. */
export const palette = `
    --ink: var(--attention-ink, light-dark(#1f1b26, #e9e5ee));
    --quiet: var(--attention-soft, light-dark(#5f586b, #aaa2b6));
    --rule: var(--attention-line, light-dark(#dcd6e2, #3d3748));
    --wash: light-dark(#f4f0f8, #262130);
    --surface: var(--attention-surface, light-dark(#ffffff, #16151b));
    --accent: var(--attention-accent, light-dark(#5f3a87, #c4a5ec));
`

/** Declarations of a button, and of what looks like one. */
export const buttonLook = `
    min-height: 2.25em;
    padding: 0 0.8em;
    border: 1px solid var(--rule);
    border-radius: 0.4em;
    background: var(--surface);
    color: inherit;
    font: inherit;
    cursor: pointer;
`

/** The same under the pointer. */
export const buttonHover = `
    border-color: var(--quiet);
    background: var(--wash);
`

/** What has the focus. */
export const focusLook = `
    outline: 2px solid var(--accent);
    outline-offset: 2px;
`
