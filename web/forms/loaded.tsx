import type { ReactNode } from 'react';
import { ApiError } from '../api/error.ts';
import { formatTime } from '../ui/format/date.ts';
import { Failed, NoPermission, RowsLoading } from '../ui/states.tsx';

/**
 * Renders the data of a query, or why there is none: loading, no permission, failed. If a refresh fails, the earlier data stays, with
 * its time.
 */
export function Loaded<T>({
  query,
  what,
  children,
}: {
  query: {
    data: T | undefined;
    error: Error | null;
    dataUpdatedAt: number;
    refetch: () => Promise<unknown>;
  };
  /** In lower case, e.g. 'users'. */
  what: string;
  children: (data: T) => ReactNode;
}) {
  const { data, error, dataUpdatedAt, refetch } = query;
  const retry = (): void => void refetch();
  if (error instanceof ApiError && error.status === 403) return <NoPermission what={what} />;
  if (data === undefined)
    return error ? (
      <Failed what={`Couldn't load the ${what}.`} error={error} retry={retry} />
    ) : (
      <RowsLoading rows={6} height={56} retry={retry} />
    );
  return (
    <>
      {error && (
        <Failed
          what={`Couldn't refresh the ${what}.`}
          error={error}
          safe={`Showing data from ${formatTime(new Date(dataUpdatedAt).toISOString())}.`}
          retry={retry}
        />
      )}
      {children(data)}
    </>
  );
}
