/** The style of all pages; light or dark as the system is. On a phone a row of the list becomes a card. */
export const pageStyle = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #16191d);
  --page: light-dark(#f5f6f4, #0f1114);
  --ink: light-dark(#1c2321, #e6e9e7);
  --soft: light-dark(#5d6965, #96a19c);
  --line: light-dark(#dfe3e0, #2a3035);
  --accent: light-dark(#1f6b47, #6cc79a);
  --warn: light-dark(#a02c1c, #ff9b8a);
  --warn-paper: light-dark(#fdeae6, #3b1d18);
  --chip: light-dark(#e9efeb, #232b2a);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--accent); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
[hidden] { display: none; }
.top { position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem;
  padding: .7rem 1.25rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { display: inline-flex; align-items: center; gap: .5rem; color: inherit; font-weight: 650; text-decoration: none; }
.count { margin: 0; color: var(--soft); }
.search { margin-left: auto; }
.back { margin-left: auto; }
input, button { font: inherit; color: inherit; padding: .35rem .7rem; border: 1px solid var(--line); border-radius: 7px;
  background: var(--page); }
.search input { width: 17rem; max-width: 100%; }
button { cursor: pointer; background: var(--paper); }
button:hover { border-color: var(--warn); color: var(--warn); }
main { max-width: 84rem; margin: 0 auto; padding: 1.25rem; }

.mails { width: 100%; border-collapse: separate; border-spacing: 0; table-layout: fixed; background: var(--paper);
  border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.mails th { text-align: left; font-weight: 500; font-size: .82rem; color: var(--soft); }
.mails th, .mails td { padding: .55rem .8rem; vertical-align: top; overflow-wrap: anywhere; }
.mails td { border-top: 1px solid var(--line); }
.mails:not(:has(td)) { display: none; }
.mails th:nth-child(1) { width: 9.3rem; }
.mails th:nth-child(2) { width: 28%; }
.mails th:nth-child(4) { width: 25%; }
.when { font-size: .9rem; line-height: 1.65; }
.people span { display: block; }
.from { color: var(--soft); font-size: .9rem; }
.mails tbody tr:hover { background: light-dark(#f3f7f4, #1b2023); }
.when { color: var(--soft); font-variant-numeric: tabular-nums; white-space: nowrap; }
.subject a { font-weight: 600; text-decoration: none; color: inherit; }
.subject a:hover { text-decoration: underline; }
.message-id { font-family: ui-monospace, monospace; font-size: .8rem; color: var(--soft); }
.file { display: inline-block; max-width: 100%; padding: .05rem .5rem; border-radius: 6px; background: var(--chip);
  font-size: .82rem; overflow-wrap: anywhere; }
.files:not(:empty) { display: block; }
.duplicate { display: inline-block; padding: .05rem .5rem; border-radius: 6px; background: var(--warn-paper);
  color: var(--warn); font-size: .82rem; font-weight: 600; text-decoration: none; }
@media (prefers-reduced-motion: no-preference) {
  [data-new] { animation: arrive 1.6s ease-out; }
  @keyframes arrive { from { background: light-dark(#d9f0e3, #1d4030); } }
}
.empty, .message { text-align: center; color: var(--soft); padding: 4rem 1rem; }
.message h1 { color: var(--ink); margin: 0; }
.offline { margin: 0 0 1rem; padding: .5rem .8rem; border-radius: 8px; background: var(--warn-paper); color: var(--warn); }
.refusing { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: .5rem 1rem;
  margin: 0 0 1rem; padding: .5rem .8rem; border-radius: 8px; background: var(--warn-paper); color: var(--warn); }
.pages { display: flex; justify-content: center; gap: 1.5rem; padding: 1rem; }

.mail { max-width: 60rem; margin: 0 auto; }
.mail h1 { font-size: 1.35rem; line-height: 1.3; margin: .2rem 0 1rem; overflow-wrap: anywhere; }
.mail dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; margin: 0; }
.mail dt { color: var(--soft); }
.mail dd { margin: 0; overflow-wrap: anywhere; }
.mail dd.message-id { align-self: center; }
.attachments { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; margin: 1rem 0 0; }
.attachments .file { padding: .3rem .7rem; text-decoration: none; font-size: .9rem; }
.attachments small { color: var(--soft); }
.html, .pdf, .text { display: block; width: 100%; margin: 1rem 0; border: 1px solid var(--line); border-radius: 10px; }
.html { height: 20rem; resize: vertical; overflow: auto; background: #fff; }
.pdf { height: min(85vh, 60rem); background: var(--chip); }
.pdf p { padding: 1rem; margin: 0; }
.text { padding: 1rem; background: var(--paper); font: .9rem/1.5 ui-monospace, monospace; white-space: pre-wrap;
  overflow-wrap: anywhere; }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--soft); }
.headers dl { margin-top: .6rem; font: .8rem/1.5 ui-monospace, monospace; }

@media (max-width: 46rem) {
  .top { padding: .6rem .9rem; }
  .count { flex: 1 0 auto; }
  .search { flex: 1 1 14rem; margin: 0; }
  .search input { width: 100%; }
  main { padding: .9rem; }
  .mails thead { display: none; }
  .mails, .mails tbody { display: block; }
  .mails tr { display: flex; flex-direction: column; padding: .6rem .9rem; }
  .mails tr + tr { border-top: 1px solid var(--line); }
  .mails td { display: block; border: 0; padding: .05rem 0; }
  .mails .subject { order: -1; }
  .mails .to::before { content: 'to '; color: var(--soft); }
  .mail .headers dl { grid-template-columns: 1fr; gap: 0; }
  .mail .headers dd { margin-bottom: .35rem; }
}
`;
