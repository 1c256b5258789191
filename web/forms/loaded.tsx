import type { ReactNode } from 'react';
import { ApiError } from '../api/error.ts';
import { formatTime } from '../ui/format/date.ts';
import { Failed, NoPermission, RowsLoading } from '../ui/states.tsx';

/**
 * What a query answered, or why there is nothing: loading, no permission, failed. Data that was there stays, with its time, when a
 * renewal fails (ux.md, 4.0).
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
      <Failed what={`The ${what} could not be loaded.`} error={error} retry={retry} />
    ) : (
      <RowsLoading rows={6} height={56} retry={retry} />
    );
  return (
    <>
      {error && (
        <Failed
          what={`The ${what} could not be renewed.`}
          error={error}
          safe={`What stands here is as of ${formatTime(new Date(dataUpdatedAt).toISOString())}.`}
          retry={retry}
        />
      )}
      {children(data)}
    </>
  );
}
