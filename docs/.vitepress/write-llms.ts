import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chapters } from './pages.js';

/**
 * Writes what language models read, as https://llmstxt.org has it: llms.txt is the list of pages with their first
 * sentences, llms-full.txt the pages themselves.
 */
export function writeLlms({ docsDir, outDir }: { readonly docsDir: string; readonly outDir: string }): void {
  const list: string[] = [
    '# Duework',
    '',
    '> A typed, durable job queue that lives in the PostgreSQL you already have.',
  ];
  const full: string[] = [];
  for (const { text, pages } of chapters) {
    list.push('', `## ${text}`, '');
    for (const page of pages) {
      const markdown = readFileSync(join(docsDir, page.file), 'utf8');
      list.push(`- [${page.text}](/${page.file.replace(/\.md$/, '')}): ${firstSentence(markdown)}`);
      full.push(markdown.trim());
    }
  }
  writeFileSync(join(outDir, 'llms.txt'), `${list.join('\n')}\n`);
  writeFileSync(join(outDir, 'llms-full.txt'), `${full.join('\n\n---\n\n')}\n`);
}

/** The first sentence of the first paragraph below the title, without its marks. */
function firstSentence(markdown: string): string {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  const paragraph = prose.split(/\n\s*\n/).find((part) => /^[A-Z*`[]/.test(part.trim())) ?? '';
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[*`]/g, '');
  return /^[\s\S]*?[.:](?=\s|$)/.exec(plain)?.[0].replace(/\s+/g, ' ') ?? plain.replace(/\s+/g, ' ');
}
