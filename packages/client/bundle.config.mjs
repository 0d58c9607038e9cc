/** `@duework/client` for users: `fetch` is theirs, and of contracts it has types alone. */
export default { from: 'dist', entries: { index: 'index' } };
