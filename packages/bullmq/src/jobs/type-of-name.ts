const TYPE = /^[a-z][a-z0-9_]{0,62}$/;

/**
 * The type of a job that BullMQ calls so. What Duework has added is called like its type. Other programs name jobs as they
 * like: `send-mail`, `sendMail` and `Send mail` are `send_mail`; a name of which no type can be made is one that no contract
 * has.
 */
export function typeOfName(name: string): string {
  if (TYPE.test(name)) return name;
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
}
