import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../api/api-types.js';
import { callApi } from '../api/call-api.js';
import { texts } from '../texts/texts.js';
import { AwayLinkIcon } from '../ui/icons.js';
import { fillLink, type LinkValues } from './fill-link.js';

type Place = Schemas['ConsoleLink']['where'];

/** The links that whoever runs the server wants at a place: to logs, to traces. They open beside the console. */
export function OwnLinks({ where, values }: { readonly where: Place; readonly values: LinkValues }) {
  const { data = [] } = useQuery({
    queryKey: ['console-links'],
    queryFn: async ({ signal }) => (await callApi('listConsoleLinks', { signal })).links,
    staleTime: Infinity,
  });
  const links = data.flatMap((link) => {
    const href = link.where === where ? fillLink(link.href, values) : null;
    return href === null ? [] : [{ words: link.words, href }];
  });
  return (
    links.length > 0 && (
      <ul aria-label={texts.links.label} className="flex flex-wrap gap-x-3 gap-y-1">
        {links.map(({ words, href }) => (
          <li key={words + href}>
            <a href={href} target="_blank" rel="noopener noreferrer" className="inline-flex items-center gap-1 linked">
              {words}
              <AwayLinkIcon className="size-3 text-faint" />
              <span className="sr-only">{texts.links.away}</span>
            </a>
          </li>
        ))}
      </ul>
    )
  );
}
