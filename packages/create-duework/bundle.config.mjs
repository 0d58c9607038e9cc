/** `create-duework` for users: a command, and what it copies. */
export default {
  from: 'dist',
  entries: {},
  started: { main: 'main' },
  bin: { 'create-duework': 'main' },
  copied: ['template'],
};
