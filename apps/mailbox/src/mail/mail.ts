/** An attachment as the list and the API name it; its content stays in the mail's file. */
export interface AttachmentSummary {
  readonly filename: string;
  readonly contentType: string;
  /** Decoded bytes. */
  readonly size: number;
}

/** What the index keeps of a mail: enough for the list, never a body. */
export interface MailEntry {
  readonly id: string;
  /** ISO 8601, UTC; taken from the id, so it survives a copy of the folder. */
  readonly receivedAt: string;
  readonly from: string;
  /** The recipients that the SMTP client named, which includes blind copies. */
  readonly to: readonly string[];
  readonly subject: string;
  /** As in the header, angle brackets included; null when the mail has none. */
  readonly messageId: string | null;
  /** Bytes of the file. */
  readonly size: number;
  readonly attachments: readonly AttachmentSummary[];
}

/** A mail in a list. `isDuplicate`: another mail in the mailbox has the same Message-ID (both are marked). */
export interface MailSummary extends MailEntry {
  readonly isDuplicate: boolean;
}

/** Everything that one file holds, decoded. */
export interface ParsedMail {
  readonly entry: MailEntry;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly text: string | null;
  readonly html: string | null;
  /** In the order of `entry.attachments`. */
  readonly attachments: readonly AttachmentContent[];
}

export interface AttachmentContent extends AttachmentSummary {
  /** Content-ID without angle brackets; the HTML names an inline image by it. */
  readonly contentId: string | null;
  readonly content: Uint8Array<ArrayBuffer>;
}
