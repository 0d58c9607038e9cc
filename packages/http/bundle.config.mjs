/** `@duework/http` for users: the handler, who may call it, and the listener for Node's own servers. */
export default { from: 'dist', entries: { index: 'public' } };
