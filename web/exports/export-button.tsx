import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { experienceBase } from '#contract/experiences.ts';
import { EXPORT_TYPES, type ExportType } from '#contract/export-fields.ts';
import type { SearchContext } from '#contract/facets.ts';
import type { SearchParametersInput } from '#contract/search.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import { exportsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { IconDownload } from '../ui/icons.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { ActionIcon } from '../ui/plain/button.tsx';
import { showToast } from '../ui/toasts.tsx';
import { counted } from '../ui/use-announced.ts';

interface Props {
  context: SearchContext;
  /** How many rows the list has; null while unknown. */
  total: number | null;
  /** Returns what the list is filtered and sorted by. */
  parameters: () => SearchParametersInput;
}

/** Exports all rows of the list that its filters match. Not offered inside an EHR, which has no page for exports. */
export const ExportButton = ({ context, total, parameters }: Props) => {
  const { user } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = useMutation({
    mutationFn: (exportType: ExportType) =>
      call('POST /api/export/initiate-list-export', {
        query: { exportType },
        body: { ...parameters(), searchContext: context },
      }),
    onSuccess: ({ total: rows }) => {
      showToast({
        type: 'info',
        message: `Export of ${counted(rows ?? 0, 'row', 'rows')} started. You can find it in Recent Exports.`,
        action: { label: 'Recent Exports', run: () => void navigate({ to: exportsPath(user) }) },
      });
      return client.invalidateQueries({ queryKey: ['recent-export-jobs'] });
    },
    onError: (error) => showToast({ type: 'warning', message: `Couldn't start the export. ${reasonOf(error)}` }),
  });
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
