/** Whether an account has no password here because its organisation signs it in (a connection, or an experience of single sign-on). */
export const isManagedElsewhere = (account: {
  passwordHash: string | null;
  applicationExperience: string;
  ssoConnectionId: string | null;
}): boolean =>
  account.passwordHash === null && (account.ssoConnectionId !== null || account.applicationExperience.endsWith('_SSO'));
