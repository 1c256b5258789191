import type { TableColumn } from '../ui/card-table.tsx';

/** A row that names its organization for operators, who see several. */
export interface Owned {
  organization: { id: string; name: string } | null;
}

/** The organization column; none for people who see only one organization. */
export const organizationColumn = <T extends Owned>(rows: readonly T[]): TableColumn<T>[] =>
  rows.some(({ organization }) => organization)
    ? [['Organization', ({ organization }) => organization?.name ?? 'All', { width: '14%' }]]
    : [];

/** 'Night shift (Lakeside Care)' for people who see several organizations. */
export const ownedName = ({ name, organization }: Owned & { name: string }): string =>
  organization ? `${name} (${organization.name})` : name;

export const isSameOrganization = (one: Owned, other: Owned): boolean =>
  one.organization?.id === other.organization?.id;
