/** Where the documentation is. */
export const DOCS = 'https://github.com/duework/duework/blob/main/docs';
