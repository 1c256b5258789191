import { useMutation, useQueryClient } from '@tanstack/react-query';
import { counted } from '#contract/counted.ts';
import type { ExportType } from '#contract/export-fields.ts';
import type { SearchContext } from '#contract/facets.ts';
import { call } from '../api/call.ts';
import { reasonOf } from '../api/error.ts';
import type { ListFilters } from '../filters/use-filters.ts';
import { useNavigate } from '../router/hooks.ts';
import { exportsPath } from '../session/paths.ts';
import { useSession } from '../session/session.ts';
import { showToast } from '../ui/toasts.tsx';

/** Starts exports of all rows of a list that its filters match, and says where their files will be. */
export const useListExport = (context: SearchContext, { saved, modified, parameters }: ListFilters) => {
  const { user } = useSession();
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: (exportType: ExportType) =>
      call('POST /api/export/initiate-list-export', {
        query: { exportType, ...(saved && !modified && { filterId: saved.id }) },
        body: { ...parameters(0), searchContext: context },
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
};
