FROM python:3.13-slim AS build
# What mypyc needs to compile the engine; the image gets the result alone.
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY proto proto
COPY engine engine
COPY tournaments tournaments
COPY server server
COPY clients clients
COPY docs docs
RUN python -m venv /opt/farfalia \
  && HATCH_BUILD_HOOK_ENABLE_CUSTOM=true /opt/farfalia/bin/pip install --no-cache-dir --constraint requirements.lock '.[server,otel]'

FROM python:3.13-slim
# What the sandbox of `farfalia host` needs; the image has setpriv and prlimit already.
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap libseccomp2 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/farfalia /opt/farfalia
RUN useradd --create-home --uid 1000 farfalia && mkdir /data && chown farfalia /data
USER farfalia
WORKDIR /data
VOLUME /data
# Nobody reaches a container from outside unless its ports are published: then give it a certificate, or a proxy that has one.
ENV PATH=/opt/farfalia/bin:$PATH PYTHONUNBUFFERED=1 FARFALIA_DATA_DIR=/data FARFALIA_HOST=0.0.0.0 FARFALIA_INSECURE=true
EXPOSE 7600 7601
HEALTHCHECK --interval=10s --timeout=10s --start-period=30s CMD ["python", "-m", "farfalia_server.healthz"]
ENTRYPOINT ["farfalia"]
CMD ["serve"]
