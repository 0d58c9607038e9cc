/**
 * A row whose columns a client has renamed (`total_count` to `totalCount` or `TotalCount`), read by the names that the
 * statement gave them.
 */
export function byOwnNames(row: object): object {
  let renamed: Map<string, unknown> | null = null;
  return new Proxy(row, {
    get(target, name) {
      if (typeof name === 'symbol' || name in target) return Reflect.get(target, name);
      renamed ??= new Map(Object.entries(target).map(([column, value]) => [plain(column), value]));
      return renamed.get(plain(name));
    },
  });
}

const plain = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, '').toLowerCase();
