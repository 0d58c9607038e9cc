/** `@duework/contracts` for users: what the workspace sees of it, without what is for the other rooms. */
export default {
  from: 'dist',
  to: 'dist/publish/dist',
  entries: { index: 'public' },
  publishFolder: 'dist/publish',
};
