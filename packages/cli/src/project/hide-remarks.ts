const REMARKS = /MODULE_TYPELESS_PACKAGE_JSON|type stripping/i;
let isHidden = false;

/**
 * From now on Node says nothing of how the files of a project are written, such as a package.json without `type`, because its
 * lines would stand before the command's own. Every other warning is printed.
 */
export function hideRemarks(): void {
  if (isHidden) return;
  isHidden = true;
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: readonly unknown[]): void => {
    const [options] = rest as [{ code?: unknown } | undefined];
    if (REMARKS.test(`${String(options?.code)} ${String(warning)}`)) return;
    (emitWarning as (...given: readonly unknown[]) => void).call(process, warning, ...rest);
  };
}
