/**
 * An amount without its currency: `1,234.50`, and `1,235` where the currency has no minor unit. An unknown currency
 * code gets two decimals.
 */
export function formatAmount(minorUnits: number, currency: string): string {
  const digits = countDecimals(currency);
  return (minorUnits / 10 ** digits).toLocaleString('en', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

function countDecimals(currency: string): number {
  try {
    return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;
  } catch {
    return 2;
  }
}
