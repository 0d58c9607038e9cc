import { createHash } from 'node:crypto';
import { raw } from 'hono/html';

const STYLE = `
:root { color-scheme: light dark; --paper: light-dark(#fff, #16191d); --page: light-dark(#f6f6f4, #0f1114);
  --ink: light-dark(#1c2321, #e6e9e7); --soft: light-dark(#5a6562, #9aa5a0); --line: light-dark(#dfe3e0, #2a3035);
  --accent: light-dark(#1f6b47, #6cc79a); --wash: light-dark(#e8f3ec, #14291f); --warn: light-dark(#9a3412, #fdba74);
  --warn-wash: light-dark(#fdf0e4, #2f1d10); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; justify-content: space-between; padding: .8rem 1.25rem;
  background: var(--paper); border-bottom: 1px solid var(--line); }
nav { display: flex; gap: 1.25rem; }
main { max-width: 50rem; margin: 0 auto; padding: 1.5rem 1.25rem 3rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2, h3 { font-size: 1rem; margin: 0; }
p { margin: .2rem 0 0; }
.lead { margin: .4rem 0 1.25rem; color: var(--soft); max-width: 40rem; }
ul { list-style: none; margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
li { display: grid; grid-template-columns: 1fr 12.5rem; gap: .6rem 1.5rem; align-items: center; padding: .9rem 1.1rem; }
li + li { border-top: 1px solid var(--line); }
ul.lives { margin-bottom: 1rem; }
.lives li { grid-template-columns: 1fr 16rem; }
.lives button { white-space: normal; }
button + button { margin-top: .4rem; }
.look { color: var(--soft); font-size: .9rem; }
button { width: 100%; font: inherit; font-weight: 550; color: inherit; padding: .45rem .8rem; cursor: pointer; white-space: nowrap;
  border: 1px solid var(--line); border-radius: 7px; background: var(--page); }
button:hover:not(:disabled) { border-color: var(--accent); }
button:disabled { color: var(--soft); cursor: default; }
section { margin: 0 0 1rem; padding: .8rem 1.1rem; border-radius: 10px; background: var(--wash); }
section.refused { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; justify-content: space-between;
  background: var(--warn-wash); color: var(--warn); }
section.refused button { width: auto; background: none; border-color: currentColor; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: .5rem 0 0; }
dd { margin: 0; }
@media (max-width: 34rem) { li, .lives li, dl { grid-template-columns: 1fr; } dd { margin-bottom: .3rem; } }
`;

/** The page's one style, known by its hash. */
export const styleElement = raw(`<style>${STYLE}</style>`);

/** Nothing is loaded or run, and forms go to this server alone. */
export const SHOP_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`;
