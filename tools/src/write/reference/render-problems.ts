import { HTTP_ERRORS, PROBLEM_ADVICE, type HttpErrorCode } from '@duework/http';

const [BEGIN, END] = ['<!-- problems: npm run write -- reference -->', '<!-- end of problems -->'];

/** The text of docs/look-up/errors.md with today's tables of problems, before it is formatted. */
export function renderProblems(page: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin === -1 || end === -1) throw new Error(`docs/look-up/errors.md lacks ${BEGIN} or ${END}.`);
  const codes = Object.keys(HTTP_ERRORS) as HttpErrorCode[];
  const statuses = [...new Set(codes.map((code) => HTTP_ERRORS[code].status))].sort((one, other) => one - other);
  const sections = statuses.map((status) => {
    const rows = codes.filter((code) => HTTP_ERRORS[code].status === status).map(renderRow);
    return `### HTTP ${status}\n\n| code | what it means | what to do |\n| --- | --- | --- |\n${rows.join('\n')}`;
  });
  return `${page.slice(0, begin)}${BEGIN}\n\n${sections.join('\n\n')}\n\n${page.slice(end)}`;
}

function renderRow(code: HttpErrorCode): string {
  const { means, fix } = PROBLEM_ADVICE[code];
  return `| <a id="${code}"></a>\`${code}\` | ${escape(means)} | ${escape(fix)} |`;
}

const escape = (text: string): string => text.replaceAll(/[<>|*_`]/g, (sign) => `\\${sign}`);
