/** `@duework/contracts` for users: what the workspace sees of it, without what is for the other rooms. */
export default {
  from: 'dist',
  entries: { index: 'public' },
};
