import MailComposer from 'nodemailer/lib/mail-composer';

/** A mail as its author writes it. */
export interface Mail {
  readonly to: { readonly name: string; readonly address: string };
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly attachments?: readonly {
    readonly filename: string;
    readonly contentType: string;
    readonly content: Buffer;
  }[];
}

export interface ComposedMail {
  readonly envelope: { readonly from: string; readonly to: string };
  readonly content: Buffer;
}

/** The mail in the form that is sent. `from` is one address: `Shop <shop@example.com>`. */
export async function composeMail(mail: Mail, from: string, messageId: string): Promise<ComposedMail> {
  const message = new MailComposer({
    from,
    to: { name: mail.to.name, address: mail.to.address },
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    attachments: mail.attachments?.map((attachment) => ({ ...attachment })),
    messageId,
    // tells out-of-office programs not to answer (RFC 3834)
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const { from: sender, to } = message.getEnvelope();
  return { envelope: { from: sender || '', to: to[0] ?? '' }, content: await message.build() };
}
