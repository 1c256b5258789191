import type { TableColumn } from '../ui/card-table.tsx';

/** A row that says whose it is to those who see several organisations. */
export interface Owned {
  organization: { id: string; name: string } | null;
}

/** The column that names the organisation; none for who sees but one. */
export const organizationColumn = <T extends Owned>(rows: readonly T[]): TableColumn<T>[] =>
  rows.some(({ organization }) => organization)
    ? [['Organisation', ({ organization }) => organization?.name ?? 'Every one']]
    : [];

/** 'Night shift (Lakeside Care)' where several organisations are in sight. */
export const ownedName = ({ name, organization }: Owned & { name: string }): string =>
  organization ? `${name} (${organization.name})` : name;

export const isOfSame = (one: Owned, other: Owned): boolean => one.organization?.id === other.organization?.id;
