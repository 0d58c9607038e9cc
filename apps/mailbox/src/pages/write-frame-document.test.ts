import { expect, test } from '@jest/globals';
import type { AttachmentContent } from '../mail/mail.js';
import { writeFrameDocument } from './write-frame-document.js';

test('a picture that the mail brings along is shown, one from elsewhere is not fetched', () => {
  const picture: AttachmentContent = {
    filename: 'logo.png',
    contentType: 'image/png',
    contentId: 'logo@duework',
    size: 3,
    content: new Uint8Array([1, 2, 3]),
  };
  const document = writeFrameDocument({
    html: '<img src="cid:logo@duework"><img src="cid:none">',
    attachments: [picture],
  });
  expect(document).toContain('<img src="data:image/png;base64,AQID"><img src="cid:none">');
  expect(document).toContain("default-src 'none'; img-src data:;");
});
