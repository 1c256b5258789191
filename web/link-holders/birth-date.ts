/** Returns a typed date as MM/DD/YYYY, with its zeros; null if it is none. */
export const typedDate = (text: string): string | null => {
  const [, month, day, year] = /^\s*(\d{1,2})[/.\- ](\d{1,2})[/.\- ](\d{4})\s*$/.exec(text) ?? [];
  if (!month || !day || !year) return null;
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isReal = at.getUTCMonth() === Number(month) - 1 && at.getUTCDate() === Number(day);
  return isReal ? `${month.padStart(2, '0')}/${day.padStart(2, '0')}/${year}` : null;
};
