const WARNING_DAYS = 7;

/** Whether a password that expires in `days` days is worth a warning; null: it never expires. */
export const expiresSoon = (days: number | null): days is number => days !== null && days <= WARNING_DAYS;

/** "Your password expires in 5 days." */
export const passwordExpiry = (days: number): string => {
  const when = days <= 0 ? 'today' : days === 1 ? 'tomorrow' : `in ${days} days`;
  return `Your password expires ${when}.`;
};
