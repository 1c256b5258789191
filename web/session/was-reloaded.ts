/** Whether this document was loaded again: people reload an error page to look whether what it says is over. */
export const wasReloaded = (): boolean =>
  performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload');
