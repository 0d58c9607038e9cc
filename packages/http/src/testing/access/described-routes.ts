import type { Scope } from '@duework/operate';

/** A route of the document that needs a scope. */
export interface DescribedRoute {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly scope: Scope;
  readonly operation: Operation;
}

export interface Operation {
  readonly operationId: string;
  readonly security?: readonly { readonly bearer?: readonly Scope[] }[];
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema?: Schema }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Schema {
  readonly type?: string | readonly string[];
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** In the order of the document; a route without a scope is for everybody. */
export function describedRoutes({ paths }: ApiDocument): DescribedRoute[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const scope = operation.security?.[0]?.bearer?.[0];
      const { operationId } = operation;
      return scope === undefined ? [] : [{ operationId, method: method.toUpperCase(), path, scope, operation }];
    }),
  );
}
