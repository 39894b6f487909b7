/** The name of the service, as the page that came says it. */
export const brand: string = stated('brand') ?? 'Afterbell';

/** What stands in the names of headers of deliveries, as the page that came says it. */
export const headerBrand: string = stated('header-brand') ?? 'Service';

/** Null where the page came from elsewhere than the service, which fills these in. */
function stated(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content === '' || content.startsWith('%') ? null : content;
}
