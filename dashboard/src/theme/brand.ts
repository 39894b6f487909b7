/** The name of the service, from the page's meta tags. */
export const brand: string = metaContent('brand') ?? 'Afterbell';

/** The brand in delivery header names, from the page's meta tags. */
export const headerBrand: string = metaContent('header-brand') ?? 'Service';

/** Null if the page wasn't served by the service, which fills in the meta tags. */
function metaContent(name: string): string | null {
  const content = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return content === '' || content.startsWith('%') ? null : content;
}
