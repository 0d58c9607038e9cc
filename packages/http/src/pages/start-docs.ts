/**
 * What the page at /docs runs: it reads from the page where the document is. No request leaves for elsewhere, and
 * no key that is typed in is kept.
 */
export const START_DOCS = `'use strict';
SwaggerUIBundle({
  url: document.getElementById('docs').dataset.document,
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  persistAuthorization: false,
  queryConfigEnabled: false,
});
`;
