/** Letters that have no decomposition and no place in WinAnsi. */
const PLAIN: Readonly<Record<string, string>> = {
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  Ħ: 'H',
  ħ: 'h',
  ı: 'i',
  Ŧ: 'T',
  ŧ: 't',
  Ŋ: 'N',
  ŋ: 'n',
  ĸ: 'k',
  Ə: 'E',
  ə: 'e',
  ẞ: 'SS',
  '−': '-',
  '‐': '-',
  '‑': '-',
};

/** What the standard fonts of a PDF can show beside ASCII and Latin-1: WinAnsi's 0x80 to 0x9f. */
const EXTRA = new Set('€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ');

/**
 * The text in characters that the standard fonts of a PDF can show. Foreign Latin letters lose their marks (`Škoda`
 * stays, `Łódź` becomes `Lódz`), other letters become `?`, symbols are removed. When nothing readable is left, returns
 * `fallback`.
 */
export function toPrintable(text: string, fallback: string): string {
  const printable = Array.from(text.normalize('NFC'), toPrintableCharacter)
    .join('')
    .replace(/\?{2,}/g, '?')
    .replace(/\s+/g, ' ')
    .trim();
  return /[\p{L}\p{N}]/u.test(printable) ? printable : fallback;
}

function toPrintableCharacter(character: string): string {
  if (isPrintable(character)) return character;
  if (/\s/u.test(character)) return ' ';
  const plain =
    PLAIN[character] ?? Array.from(character.normalize('NFKD').replace(/\p{M}/gu, '')).filter(isPrintable).join('');
  if (plain !== '') return plain;
  return /[\p{L}\p{N}]/u.test(character) ? '?' : '';
}

function isPrintable(character: string): boolean {
  return /^[\x20-\x7e\xa1-\xac\xae-\xff]$/.test(character) || EXTRA.has(character);
}
