/** `@duework/http` for users: the handler, who may call it, and the listener for Node's own servers. */
export default {
  from: 'dist',
  entries: { index: 'public' },
  // the files of the pages, which are most of the package
  once: ['pages/generated/console-files', 'pages/generated/docs-files'],
  // as text, in src/pages/generated
  holds: ['swagger-ui-dist'],
};
