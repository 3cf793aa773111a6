/** What a view is given of the address that names one thing. */
export interface ViewProps {
  readonly id: string;
  readonly params: URLSearchParams;
}
