import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { chapters } from './pages.js';
import { INTERNALS, SOURCE_URL, toSiteLink } from './to-site-link.js';
import { writeLlms } from './write-llms.js';

const docsDir = fileURLToPath(new URL('..', import.meta.url));
const toRoute = (file: string): string => `/${file.replace(/\.md$/, '')}`;

// both columns of a table are worth more than a piece of code in one line
const TABLES = `
  .vp-doc table :is(td, th) { padding: 8px }
  .vp-doc table code { overflow-wrap: anywhere }
  .vp-doc table:has(th:nth-child(6)) :is(td, th) { padding: 6px; font-size: 12.5px }
  @media (max-width: 640px) { .vp-doc table :is(td, th) { min-width: 6.5em } }`;

const MARK = readFileSync(new URL('../../apps/console/public/mark.svg', import.meta.url), 'utf8');

const sidebar: DefaultTheme.SidebarItem[] = chapters.map(({ text, pages }) => ({
  text,
  items: pages.map((page) => ({ text: page.text, link: toRoute(page.file) })),
}));

export default defineConfig({
  title: 'Duework',
  description: 'The typed, durable job queue that lives in the PostgreSQL you already have',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  head: [
    ['style', {}, TABLES],
    ['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(MARK)}` }],
  ],
  srcExclude: [`${INTERNALS}**`],
  markdown: {
    config: (md) => {
      const before = md.normalizeLink;
      let page = '';
      md.core.ruler.before('normalize', 'current_page', ({ env }) => {
        page = (env as { relativePath?: string }).relativePath ?? '';
      });
      md.normalizeLink = (link) => before(toSiteLink(page, link));
    },
  },
  themeConfig: {
    nav: [
      { text: 'Start', link: '/start/first-job' },
      { text: 'What is guaranteed', link: '/understand/guarantees' },
      { text: 'Performance', link: '/understand/performance' },
    ],
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: {
          searchOptions: {
            // how to do it comes before how others call it, and before tables to look something up in
            boostDocument: (id: string) => (/\/(?:coming-from|look-up)\/|\/README/.test(id) ? 0.4 : 1),
          },
        },
      },
    },
    socialLinks: [{ icon: 'github', link: SOURCE_URL.replace('/blob/main', '') }],
  },
  buildEnd: ({ outDir }) => writeLlms({ docsDir, outDir }),
});
