/** `@duework/embedded` for users: the server, and the global setup of their tests. */
export default {
  from: 'dist',
  entries: {
    index: 'public',
    testing: 'testing/global-setup',
    'testing/teardown': 'testing/global-teardown',
  },
};
