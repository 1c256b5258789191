/** '1 account', '12 accounts' */
export const countAccounts = (count: number): string =>
  count === 1 ? '1 account' : `${count.toLocaleString('en-US')} accounts`;
