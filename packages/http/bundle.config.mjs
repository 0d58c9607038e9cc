/** `@duework/http` for users: the handler, who may call it, and the listener for Node's own servers. */
export default {
  from: 'dist',
  entries: { index: 'public' },
  // as text, in src/pages/generated
  holds: ['swagger-ui-dist'],
};
