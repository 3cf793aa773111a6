import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { productVersion } from "./productVersion.js";

/** The document of all routes at `/docs/json`, made from the schemas that check requests, and a page of it at `/docs`. */
export async function addOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Elenchus",
        version: productVersion(),
        description: "Datasets, scorers, evaluation tasks, jobs, models and runs over HTTP.",
      },
      components: { securitySchemes: { token: { type: "http", scheme: "bearer" } } },
      security: [{ token: [] }],
    },
    transform: (document) => {
      const { schema, url } = jsonSchemaTransform(document);
      const name = Object.keys((schema?.params as { properties?: object } | undefined)?.properties ?? {}).at(
        -1,
      );
      // A part that may hold slashes is a wildcard to the router, and a parameter like others to a reader.
      return { schema, url: name === undefined ? url : url.replace(/\*$/, `:${name}`) };
    },
    transformObject: jsonSchemaTransformObject,
  });
  await app.register(async (inner) => {
    inner.addHook("onRoute", (route) => {
      route.config = { ...route.config, open: true };
    });
    await inner.register(swaggerUi, {
      routePrefix: "/docs",
      uiConfig: { docExpansion: "none", persistAuthorization: false },
    });
  });
}
