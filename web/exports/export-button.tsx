import { experienceBase } from '#contract/experiences.ts';
import { EXPORT_TYPES } from '#contract/export-fields.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useSession } from '../session/session.ts';
import { IconDownload } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ActionIcon } from '../ui/plain/button.tsx';
import { useListExport } from './use-list-export.ts';

interface Props {
  context: SearchContext;
  /** How many rows the list has; null while unknown. */
  total: number | null;
  filters: ListFilters;
}

/** Exports all rows of the list that its filters match. Not offered inside an EHR, which has no page for exports. */
export const ExportButton = ({ context, total, filters }: Props) => {
  const { user } = useSession();
  const start = useListExport(context, filters);
  if (experienceBase(user.applicationExperience) === '/ehr') return null;
  return (
    <Menu
      label="Export list"
      trigger={(button) => (
        <ActionIcon
          {...button}
          title="Export list"
          aria-label="Export list"
          loading={start.isPending}
          disabled={total === 0}
        >
          <IconDownload size={16} stroke={1.75} aria-hidden />
        </ActionIcon>
      )}
    >
      {EXPORT_TYPES.map((type) => (
        <MenuItem key={type} choose={() => start.mutate(type)}>
          {type === 'CSV' ? 'Export as CSV' : 'Export as Excel (XLSX)'}
        </MenuItem>
      ))}
    </Menu>
  );
};
