/*
 * vendors.c - the functions of cuBLAS, cuDNN, NCCL and their like that must answer more than success, by what their
 * documentation says they write. libraries.py takes those that the PyTorch at hand wants into the library that they are of.
 */
#include "books.h"

#include <stdlib.h>
#include <string.h>

/* ------------------------------------------------------------------ cuBLAS */

API int cublasLtMatmulAlgoGetHeuristic(void *handle, void *operation, void *a, void *b, void *c, void *d, void *preference, int most,
                                       void *found, int *count) {
    (void)handle, (void)operation, (void)a, (void)b, (void)c, (void)d, (void)preference, (void)most;
    memset(found, 0, 96);
    *count = 1;
    return 0;
}

API int cublasGetVersion_v2(void *handle, int *version) {
    (void)handle;
    *version = CUDART * 10000;
    return 0;
}

API size_t cublasLtGetVersion(void) { return CUDART * 10000; }

API int cublasGetWorkspaceSize(void *handle, size_t *bytes) {
    (void)handle;
    *bytes = 0;
    return 0;
}

API int cublasGetMathMode(void *handle, int *mode) {
    (void)handle;
    *mode = 0;
    return 0;
}

API int cublasGetPointerMode_v2(void *handle, int *mode) {
    (void)handle;
    *mode = 0;
    return 0;
}

API int cublasGetAtomicsMode(void *handle, int *mode) {
    (void)handle;
    *mode = 0;
    return 0;
}

API int cublasGetSmCountTarget(void *handle, int *count) {
    (void)handle;
    *count = 0;
    return 0;
}

API int cublasGetStream_v2(void *handle, void **stream) {
    (void)handle;
    *stream = NULL;
    return 0;
}

/* ------------------------------------------------------------------ cuDNN: one engine a convolution, 16 MiB of workspace */

/* No older than what the build at hand was compiled against. */
API size_t cudnnGetVersion(void) { return CUDART >= 13 ? 92400 : 91000; }
API int cudnnGetProperty(int part, int *value) {
    *value = part == 0 ? 9 : part == 1 ? (CUDART >= 13 ? 24 : 10) : 0;
    return 0;
}
API size_t cudnnGetCudartVersion(void) { return CUDART * 1000; }

API int cudnnBackendCreateDescriptor(int type, void **descriptor) {
    (void)type;
    *descriptor = calloc(1, 4096);
    return 0;
}

API int cudnnBackendGetAttribute(void *descriptor, int name, int type, int64_t room, int64_t *count, void *out) {
    enum { HEURISTIC_RESULTS = 202, PLAN_WORKSPACE = 402 };
    int64_t workspace = INT64_C(16) << 20;
    (void)descriptor, (void)type, (void)room;
    if (count != NULL) *count = name == HEURISTIC_RESULTS || name == PLAN_WORKSPACE;
    if (name == PLAN_WORKSPACE && out != NULL) memcpy(out, &workspace, sizeof workspace);
    return 0;
}

API int cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(void *handle, int mode, int ops, void *x, void *z, void *y, void *bn,
                                                                 void *activation, size_t *bytes) {
    (void)handle, (void)mode, (void)ops, (void)x, (void)z, (void)y, (void)bn, (void)activation;
    *bytes = 1 << 20;
    return 0;
}

API int cudnnGetBatchNormalizationBackwardExWorkspaceSize(void *handle, int mode, int ops, void *x, void *y, void *dy, void *dz,
                                                          void *dx, void *bn, void *activation, size_t *bytes) {
    (void)handle, (void)mode, (void)ops, (void)x, (void)y, (void)dy, (void)dz, (void)dx, (void)bn, (void)activation;
    *bytes = 1 << 20;
    return 0;
}

API int cudnnGetBatchNormalizationTrainingExReserveSpaceSize(void *handle, int mode, int ops, void *activation, void *x,
                                                             size_t *bytes) {
    (void)handle, (void)mode, (void)ops, (void)activation, (void)x;
    *bytes = 4096;
    return 0;
}

API int cudnnGetRNNWeightSpaceSize(void *handle, void *rnn, size_t *bytes) {
    (void)handle, (void)rnn;
    *bytes = 1 << 20;
    return 0;
}

API int cudnnGetRNNTempSpaceSizes(void *handle, void *rnn, int mode, void *x, size_t *work, size_t *reserve) {
    (void)handle, (void)rnn, (void)mode, (void)x;
    *work = *reserve = 1 << 20;
    return 0;
}

API int cudnnDropoutGetStatesSize(void *handle, size_t *bytes) {
    (void)handle;
    *bytes = 1 << 20;
    return 0;
}

/* ------------------------------------------------------------------ NCCL: each rank by itself, and what it gathers is its own */

typedef struct unique_id {
    char bytes[128];
} unique_id;

static int communicator(int **out, int size, int rank) {
    *out = calloc(64, sizeof **out);
    if (*out == NULL) return 2;
    (*out)[0] = size;
    (*out)[1] = rank;
    return 0;
}

API int ncclGetVersion(int *version) {
    *version = 22203;
    return 0;
}

API int ncclGetUniqueId(unique_id *id) {
    memset(id, 7, sizeof *id);
    return 0;
}

API int ncclCommInitRank(int **out, int size, unique_id id, int rank) {
    (void)id;
    return communicator(out, size, rank);
}

API int ncclCommInitRankConfig(int **out, int size, unique_id id, int rank, void *config) {
    (void)id, (void)config;
    return communicator(out, size, rank);
}

API int ncclCommInitRankScalable(int **out, int size, int rank, int ids, void *id, void *config) {
    (void)ids, (void)id, (void)config;
    return communicator(out, size, rank);
}

API int ncclCommInitAll(int **out, int size, const int *devices) {
    (void)devices;
    int result = 0;
    for (int i = 0; i < size && result == 0; i++) result = communicator(&out[i], size, i);
    return result;
}

API int ncclCommSplit(const int *from, int color, int key, int **out, void *config) {
    (void)color, (void)key, (void)config;
    return communicator(out, from[0], from[1]);
}

API int ncclAllGather(const char *from, char *to, size_t count, int type, const int *of, void *stream) {
    static const unsigned char widths[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
    size_t bytes = count * (type >= 0 && (size_t)type < sizeof widths ? widths[type] : 1);
    (void)stream;
    for (int i = 0; i < of[0]; i++) memmove(to + (size_t)i * bytes, from, bytes);
    standin_block_written(to, bytes * (size_t)of[0]);
    return 0;
}

API int ncclCommGetAsyncError(void *of, int *error) {
    (void)of;
    *error = 0;
    return 0;
}

API const char *ncclGetLastError(void *of) {
    (void)of;
    return "";
}

/* ------------------------------------------------------------------ NVRTC, NVML, cuSOLVER */

API int nvrtcVersion(int *major, int *minor) {
    *major = CUDART;
    *minor = 0;
    return 0;
}

static int sixteen(size_t *bytes) {
    *bytes = 16;
    return 0;
}

static int no_text(char *text) {
    memset(text, 0, 16);
    return 0;
}

API int nvrtcGetPTXSize(void *program, size_t *bytes) { return (void)program, sixteen(bytes); }
API int nvrtcGetCUBINSize(void *program, size_t *bytes) { return (void)program, sixteen(bytes); }
API int nvrtcGetProgramLogSize(void *program, size_t *bytes) { return (void)program, sixteen(bytes); }
API int nvrtcGetPTX(void *program, char *text) { return (void)program, no_text(text); }
API int nvrtcGetCUBIN(void *program, char *text) { return (void)program, no_text(text); }
API int nvrtcGetProgramLog(void *program, char *text) { return (void)program, no_text(text); }

API int nvrtcGetLoweredName(void *program, const char *name, const char **lowered) {
    (void)program, (void)name;
    *lowered = "kernel";
    return 0;
}

API int nvmlInit_v2(void) { return 0; }
API int nvmlShutdown(void) { return 0; }

API int nvmlDeviceGetCount_v2(unsigned *n) {
    *n = 0;
    return 0;
}

API int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device) {
    (void)bus;
    *device = (void *)1;
    return 0;
}

API int nvmlDeviceGetComputeRunningProcesses(void *device, unsigned *n, void *processes) {
    (void)device, (void)processes;
    *n = 0;
    return 0;
}

API int cusolverDnCreateParams(void **parameters) {
    *parameters = calloc(1, 256);
    return 0;
}
