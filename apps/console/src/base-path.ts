/** The folder of the console on its server, as the `<base>` of the page says it: only the server knows where that is. */
const folder = new URL('.', document.baseURI);

/** Its path, without a slash at its end. */
export const basePath = folder.pathname.replace(/\/$/, '');

/** Where the API is, without a slash at its end: the console is one folder below it. */
export const apiUrl = new URL('..', folder).href.replace(/\/$/, '');
