/**
 * The rule of a key, `limit/send_mail.accountId` of `limit/send_mail.accountId/7`: what is left of it without the value of a
 * payload's field. The key of a pause has none, and is returned as it is.
 */
export const ruleOfKey = (key: string): string => (key.startsWith('pause/') ? key : key.split('/', 2).join('/'));
