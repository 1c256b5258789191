/** Who sent something by a link, in words. Small, because the inbox loads it with its first page. */

/** Returns 'link of Lakeshore Health, by “Ana Ruiz” (not verified)': anyone who had the link could have typed the name. */
export const linkInWords = ({
  name,
  organization,
}: {
  name: string;
  organization?: string | null | undefined;
}): string => `link${organization ? ` of ${organization}` : ''}, by “${name}” (not verified)`;
